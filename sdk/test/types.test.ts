import { readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { describe, expect, expectTypeOf, it } from 'vitest';
import description from '../../docs/openapi.json' with { type: 'json' };
import type { InvitationRecord } from '../../server/src/auth/portal/invitation-record.ts';
import type { Me } from '../../server/src/auth/portal/me.ts';
import type { MemberRecord } from '../../server/src/auth/portal/member-record.ts';
import type { Tokens } from '../../server/src/auth/portal/signed-in.ts';
import type { scopes } from '../../server/src/auth/signed/scopes.ts';
import type { SignedParts as VerifiedParts } from '../../server/src/auth/signed/signature.ts';
import type { ChannelRecord } from '../../server/src/channels/record.ts';
import type { FieldError as ServerFieldError } from '../../server/src/contract/api-error.ts';
import type { Envelope as ServerEnvelope } from '../../server/src/contract/envelope.ts';
import type { Page, pageQuery } from '../../server/src/contract/page.ts';
import type { eventSchemas } from '../../server/src/event-schemas.ts';
import type * as names from '../../server/src/files/names.ts';
import type { readableActions } from '../../server/src/log/actions.ts';
import type { eventTypes } from '../../server/src/log/event-types.ts';
import type * as own from '../../server/src/resources/account/schema.ts';
import type * as keys from '../../server/src/resources/api-keys/schema.ts';
import type * as audit from '../../server/src/resources/audit-log/schema.ts';
import type * as accounts from '../../server/src/resources/auth/schema.ts';
import type * as channelTypes from '../../server/src/resources/channel-types/schema.ts';
import type * as deliveries from '../../server/src/resources/channels/delivery-schema.ts';
import type * as channels from '../../server/src/resources/channels/schema.ts';
import type * as devices from '../../server/src/resources/device-sign-in/schema.ts';
import type * as events from '../../server/src/resources/events/schema.ts';
import type * as files from '../../server/src/resources/files/schema.ts';
import type * as invitations from '../../server/src/resources/invitations/schema.ts';
import type * as members from '../../server/src/resources/members/schema.ts';
import type * as notifications from '../../server/src/resources/notifications/schema.ts';
import type * as oidc from '../../server/src/resources/oidc/schema.ts';
import type * as overviews from '../../server/src/resources/overview/schema.ts';
import type * as requests from '../../server/src/resources/requests/schema.ts';
import type { setTransferStatus } from '../../server/src/resources/transfers/platform.ts';
import type * as transfers from '../../server/src/resources/transfers/schema.ts';
import type { TransferRecord } from '../../server/src/transfers/record.ts';
import type { transferStatuses } from '../../server/src/transfers/status.ts';
import type * as open from '../src/index.ts';
import type * as portal from '../src/portal/index.ts';

/** Schemas that the server keeps to itself: the types are held to these, and these to the API description. */
const described = {
  Pong: Type.Object({ pong: Type.Literal(true), serverTime: Type.Integer() }),
  WhoAmI: Type.Object({
    apiKeyId: Type.String(),
    workspaceBizId: Type.String(),
    mode: Type.String(),
    scopes: Type.Array(Type.String()),
    ip: Type.String(),
    serverTime: Type.Integer(),
  }),
  ErrorEntry: Type.Object({
    code: Type.String(),
    alias: Type.Optional(Type.String()),
    httpStatus: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
  }),
  Problem: Type.Object({
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String(),
    success: Type.Literal(false),
    code: Type.String(),
    alias: Type.Optional(Type.String()),
    message: Type.String(),
    errors: Type.Array(Type.Object({ field: Type.String(), message: Type.String() })),
  }),
};

/** What decides on the type; descriptions and lists of values do not. */
function bones(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bones);
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('$ref' in schema) return bones(componentOf(String(schema.$ref).split('/').at(-1) ?? ''));
  const kept = ['type', 'properties', 'required', 'items', 'const'];
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => kept.includes(name))
      .map(([name, value]) => [
        name,
        name === 'properties'
          ? Object.fromEntries(Object.entries(value).map(([field, each]) => [field, bones(each)]))
          : bones(value),
      ]),
  );
}

const componentOf = (name: string) => (description.components.schemas as Record<string, unknown>)[name]; // looked up by name

/** Statuses, categories, modes and scopes have types of their own, which are compared below; the schemas call them texts and numbers. */
type Loose<Of> = Of extends string
  ? string
  : Of extends number
    ? number
    : Of extends object
      ? { [Name in keyof Of]: Loose<Of[Name]> }
      : Of;

type Transfers = typeof TransferRecord;
type PageParameters = Static<ReturnType<typeof pageQuery>>;

describe('the types', () => {
  it('of the Open API equal the schemas', () => {
    expectTypeOf<Loose<open.Transfer>>().toEqualTypeOf<Static<typeof TransferRecord>>();
    expectTypeOf<Loose<open.TransferQuery>>().toEqualTypeOf<Static<typeof transfers.TransferFilters>>();
    expectTypeOf<Loose<open.FileRecord>>().toEqualTypeOf<Static<typeof files.FileRecord>>();
    expectTypeOf<Loose<open.FileQuery>>().toEqualTypeOf<
      Pick<Static<typeof files.FileFilters>, 'fileCategory' | 'fileStatus'>
    >();
    expectTypeOf<Loose<open.ChannelType>>().toEqualTypeOf<Static<typeof channelTypes.ChannelTypeRecord>>();
    expectTypeOf<Loose<open.ChannelTypeQuery>>().toEqualTypeOf<
      Static<typeof channelTypes.ChannelTypeFilters>
    >();
    expectTypeOf<open.NewTransfer>().toEqualTypeOf<Static<typeof transfers.NewTransfer>>();
    expectTypeOf<Loose<open.NewFile>>().toEqualTypeOf<Static<typeof files.NewFile>>();
    expectTypeOf<open.Pong>().toEqualTypeOf<Static<typeof described.Pong>>();
    expectTypeOf<Loose<open.WhoAmI>>().toEqualTypeOf<Static<typeof described.WhoAmI>>();
    expectTypeOf<VerifiedParts>().toExtend<open.SignedParts>();
  });

  it('of envelope, pages and errors equal the schemas', () => {
    type Enveloped = Static<ReturnType<typeof ServerEnvelope<Transfers>>>;
    expectTypeOf<open.Envelope<Loose<open.Transfer>>>().toEqualTypeOf<Enveloped>();
    type Listed = Loose<open.Transfer>;
    type Pages = open.NestedPage<Listed> | portal.FlatPage<Listed>;
    expectTypeOf<Pages>().branded.toEqualTypeOf<Static<ReturnType<typeof Page<Transfers>>>>();
    expectTypeOf<Omit<open.PageQuery, 'sort'>>().toEqualTypeOf<Omit<PageParameters, 'sort'>>();
    // One order needs no list.
    expectTypeOf<open.PageQuery['sort']>().toEqualTypeOf<
      string | Readonly<NonNullable<PageParameters['sort']>> | undefined
    >();
    expectTypeOf<open.FieldError>().toEqualTypeOf<ServerFieldError>();
    expectTypeOf<open.Problem>().toEqualTypeOf<Static<typeof described.Problem>>();
  });

  it('of codes are those of the service', () => {
    type Status = (typeof transferStatuses)[number];
    expectTypeOf<open.Transfer['status']>().toEqualTypeOf<Status>();
    expectTypeOf<open.TransferQuery['status']>().toEqualTypeOf<Status | undefined>();
    type Categories = typeof names.fileCategories;
    type Statuses = typeof names.fileStatuses;
    expectTypeOf<open.FileRecord['fileCategory']>().toEqualTypeOf<Categories[keyof Categories]>();
    expectTypeOf<open.FileRecord['fileStatus']>().toEqualTypeOf<Statuses[keyof Statuses]>();
    expectTypeOf<open.FileQuery['fileCategory']>().toEqualTypeOf<keyof Categories | undefined>();
    expectTypeOf<open.FileQuery['fileStatus']>().toEqualTypeOf<keyof Statuses | undefined>();
    type Modes = typeof keys.keyModes;
    expectTypeOf<open.WhoAmI['mode'] | portal.ApiKeyRecord['mode']>().toEqualTypeOf<Modes[keyof Modes]>();
    type Scopes = open.WhoAmI['scopes'] | portal.ApiKeyRecord['scopes'] | portal.CreatedApiKey['scopes'];
    expectTypeOf<Scopes[number]>().toEqualTypeOf<keyof typeof scopes>();
    expectTypeOf<portal.AuditLogRecord['action']>().toEqualTypeOf<keyof typeof readableActions>();
  });

  it('of sign-in equal the schemas', () => {
    expectTypeOf<portal.Login>().toEqualTypeOf<Static<typeof accounts.Login>>();
    expectTypeOf<portal.PasswordResetRequest>().toEqualTypeOf<Static<typeof accounts.PasswordResetRequest>>();
    expectTypeOf<portal.PasswordReset>().toEqualTypeOf<Static<typeof accounts.PasswordReset>>();
    expectTypeOf<portal.RefreshRequest>().toEqualTypeOf<Static<typeof accounts.RefreshRequest>>();
    expectTypeOf<portal.Tokens>().toEqualTypeOf<Static<typeof Tokens>>();
    expectTypeOf<portal.NewDeviceSignIn>().toEqualTypeOf<Static<typeof devices.NewDeviceSignIn>>();
    expectTypeOf<portal.DeviceSignIn>().toEqualTypeOf<Static<typeof devices.DeviceSignIn>>();
    expectTypeOf<portal.DeviceCode>().toEqualTypeOf<Static<typeof devices.DeviceCode>>();
    expectTypeOf<portal.UserCode>().toEqualTypeOf<Static<typeof devices.UserCode>>();
    expectTypeOf<portal.AskingDevice>().toEqualTypeOf<Static<typeof devices.AskingDevice>>();
    expectTypeOf<portal.DemoWorld>().toEqualTypeOf<Static<typeof accounts.DemoWorld>>();
    expectTypeOf<portal.Me>().toEqualTypeOf<Me>();
    expectTypeOf<portal.OwnAccount>().toEqualTypeOf<Me['account']>();
    expectTypeOf<portal.OwnInstitution>().toEqualTypeOf<Me['institutions'][number]>();
    expectTypeOf<portal.OwnWorkspace>().toEqualTypeOf<Me['workspaces'][number]>();
    expectTypeOf<portal.OpenIdConnectInvitation>().toEqualTypeOf<
      Static<typeof oidc.OpenIdConnectInvitation>
    >();
    expectTypeOf<portal.OpenIdConnectStart>().toEqualTypeOf<Static<typeof oidc.OpenIdConnectStart>>();
    expectTypeOf<portal.OpenIdConnectOffer>().toEqualTypeOf<Static<typeof accounts.OpenIdConnectOffer>>();
    expectTypeOf<portal.SignInConfig>().toEqualTypeOf<Static<typeof accounts.SignInConfig>>();
    expectTypeOf<portal.ErrorEntry>().toEqualTypeOf<Static<typeof described.ErrorEntry>>();
  });

  it('of the own account equal the schemas', () => {
    expectTypeOf<portal.AccountRecord>().toEqualTypeOf<Static<typeof own.AccountRecord>>();
    expectTypeOf<portal.AccountChange>().toEqualTypeOf<Static<typeof own.AccountChange>>();
    expectTypeOf<portal.PasswordChange>().toEqualTypeOf<Static<typeof own.PasswordChange>>();
    expectTypeOf<portal.SessionRecord>().toEqualTypeOf<Static<typeof own.SessionRecord>>();
    expectTypeOf<portal.NewSecondFactor>().toEqualTypeOf<Static<typeof own.NewSecondFactor>>();
    expectTypeOf<portal.SecondFactorCode>().toEqualTypeOf<Static<typeof own.SecondFactorCode>>();
    expectTypeOf<portal.RecoveryCodes>().toEqualTypeOf<Static<typeof own.RecoveryCodes>>();
  });

  it('of the overview equal the schemas', () => {
    expectTypeOf<Loose<portal.Overview>>().toEqualTypeOf<Static<typeof overviews.Overview>>();
    expectTypeOf<Loose<portal.Attention>>().toEqualTypeOf<
      Static<typeof overviews.Overview>['attention'][number]
    >();
    expectTypeOf<portal.OverviewQuery>().toEqualTypeOf<Static<typeof overviews.OverviewQuery>>();
    expectTypeOf<portal.Attention['kind']>().toEqualTypeOf<overviews.AttentionKind>();
  });

  it('of the portal equal the schemas', () => {
    expectTypeOf<Loose<portal.FileRecord>>().toEqualTypeOf<Static<typeof files.FileRecord>>();
    expectTypeOf<portal.FileFilters>().toEqualTypeOf<Static<typeof files.FileFilters>>();
    expectTypeOf<Loose<portal.ChannelType>>().toEqualTypeOf<Static<typeof channelTypes.ChannelTypeRecord>>();
    expectTypeOf<portal.ChannelTypeFilters>().toEqualTypeOf<Static<typeof channelTypes.ChannelTypeFilters>>();
    expectTypeOf<Loose<portal.Transfer>>().toEqualTypeOf<Static<typeof TransferRecord>>();
    expectTypeOf<portal.TransferFilters>().branded.toEqualTypeOf<
      Static<typeof transfers.WorkspaceTransferFilters>
    >();
    expectTypeOf<portal.NewWorkspaceTransfer>().branded.toEqualTypeOf<
      Static<typeof transfers.NewWorkspaceTransfer>
    >();
    expectTypeOf<portal.TransferMove>().toEqualTypeOf<
      Static<NonNullable<(typeof setTransferStatus)['body']>>
    >();
    // The bytes are a Blob here, and a text to a schema.
    expectTypeOf<Omit<portal.UploadForm, 'file'>>().toEqualTypeOf<
      Omit<Static<typeof files.UploadForm>, 'file'>
    >();
    expectTypeOf<portal.UploadForm['file']>().toEqualTypeOf<Blob>();
    expectTypeOf<portal.NewApiKey>().toEqualTypeOf<Static<typeof keys.NewApiKey>>();
    expectTypeOf<portal.ApiKeyChange>().toEqualTypeOf<Static<typeof keys.ApiKeyChange>>();
    expectTypeOf<portal.Rotation>().toEqualTypeOf<Static<typeof keys.Rotation>>();
    expectTypeOf<Loose<portal.CreatedApiKey>>().toEqualTypeOf<Static<typeof keys.CreatedApiKey>>();
    expectTypeOf<Loose<portal.RotatedApiKey>>().toEqualTypeOf<Static<typeof keys.RotatedApiKey>>();
    expectTypeOf<Loose<portal.ApiKeyRecord>>().toEqualTypeOf<Static<typeof keys.ApiKeyRecord>>();
    expectTypeOf<Loose<portal.AuditLogRecord>>().toEqualTypeOf<Static<typeof audit.AuditLogRecord>>();
    expectTypeOf<portal.AuditLogFilters>().toEqualTypeOf<Static<typeof audit.AuditLogFilters>>();
    expectTypeOf<Loose<portal.RequestRecord>>().toEqualTypeOf<Static<typeof requests.RequestRecord>>();
    expectTypeOf<Loose<portal.RequestDetail>>().toEqualTypeOf<Static<typeof requests.RequestDetail>>();
    expectTypeOf<portal.RequestFilters>().toEqualTypeOf<Static<typeof requests.RequestFilters>>();
    expectTypeOf<portal.ApiKeyFilters>().toEqualTypeOf<Static<typeof keys.ApiKeyFilters>>();
    expectTypeOf<portal.Simulation>().toEqualTypeOf<Static<typeof keys.Simulation>>();
    expectTypeOf<portal.SimulationTrace>().toEqualTypeOf<Static<typeof keys.SimulationTrace>>();
  });

  it('of members and invitations equal the schemas', () => {
    expectTypeOf<portal.MemberRecord>().toEqualTypeOf<Static<typeof MemberRecord>>();
    expectTypeOf<portal.MemberFilters>().toEqualTypeOf<Static<typeof members.MemberFilters>>();
    expectTypeOf<portal.MemberChange>().toEqualTypeOf<Static<typeof members.MemberChange>>();
    expectTypeOf<portal.NewInvitation>().toEqualTypeOf<Static<typeof invitations.NewInvitation>>();
    expectTypeOf<Loose<portal.CreatedInvitation>>().toEqualTypeOf<
      Static<typeof invitations.CreatedInvitation>
    >();
    expectTypeOf<Loose<portal.InvitationRecord>>().toEqualTypeOf<Static<typeof InvitationRecord>>();
    expectTypeOf<portal.InvitationFilters>().toEqualTypeOf<Static<typeof invitations.InvitationFilters>>();
    expectTypeOf<portal.InvitationToken>().toEqualTypeOf<Static<typeof invitations.InvitationToken>>();
    expectTypeOf<portal.InvitationView>().toEqualTypeOf<Static<typeof invitations.InvitationView>>();
    expectTypeOf<portal.Acceptance>().toEqualTypeOf<Static<typeof invitations.Acceptance>>();
    expectTypeOf<portal.AcceptedInvitation>().branded.toEqualTypeOf<
      Static<typeof invitations.AcceptedInvitation>
    >();
  });

  it('of channels, deliveries and notifications equal the schemas', () => {
    // What is in a configuration, the type of the channel says.
    type Bare<Of> = Loose<Omit<Of, 'config'>>;
    expectTypeOf<Bare<portal.ChannelRecord>>().toEqualTypeOf<Bare<Static<typeof ChannelRecord>>>();
    type WithSecret = Static<typeof channels.ChannelWithSecret>;
    expectTypeOf<Bare<portal.CreatedChannel>>().toEqualTypeOf<Bare<WithSecret>>();
    expectTypeOf<Bare<portal.NewChannel>>().toEqualTypeOf<Bare<Static<typeof channels.NewChannel>>>();
    expectTypeOf<Bare<portal.ChannelChange>>().toEqualTypeOf<Bare<Static<typeof channels.ChannelChange>>>();
    expectTypeOf<portal.ChannelFilters>().toEqualTypeOf<Static<typeof channels.ChannelFilters>>();
    expectTypeOf<portal.ChannelConfig>().toEqualTypeOf<Static<typeof ChannelRecord>['config']>();
    expectTypeOf<Loose<portal.DeliveryRecord>>().toEqualTypeOf<Static<typeof deliveries.DeliveryRecord>>();
    expectTypeOf<portal.DeliveryFilters>().toEqualTypeOf<Static<typeof deliveries.DeliveryFilters>>();
    expectTypeOf<portal.FailedSince>().toEqualTypeOf<Static<typeof deliveries.Redelivery>>();
    expectTypeOf<portal.Redelivered>().toEqualTypeOf<Static<typeof deliveries.Redelivered>>();
    type Notification = Static<typeof notifications.NotificationRecord>;
    expectTypeOf<Omit<Loose<portal.NotificationRecord>, 'data'>>().toEqualTypeOf<
      Omit<Notification, 'data'>
    >();
    expectTypeOf<portal.ReadMark>().toEqualTypeOf<Static<typeof notifications.ReadMark>>();
    expectTypeOf<portal.UnreadNotifications>().toEqualTypeOf<Static<typeof notifications.Unread>>();
  });

  it('of events equal the schemas', () => {
    type Pulled = Static<typeof events.EventPage>['events'][number];
    expectTypeOf<Loose<Omit<open.PorticoEvent, 'data'>>>().toEqualTypeOf<Omit<Pulled, 'data'>>();
    expectTypeOf<Omit<open.EventPage, 'events'>>().toEqualTypeOf<
      Omit<Static<typeof events.EventPage>, 'events'>
    >();
    type Asked = Omit<Static<typeof events.EventQuery>, 'types'>;
    expectTypeOf<Omit<open.EventQuery, 'types'>>().branded.toEqualTypeOf<{
      [Name in keyof Asked]?: Asked[Name] | undefined;
    }>();
    expectTypeOf<open.EventType>().toEqualTypeOf<keyof typeof eventTypes>();
    expectTypeOf<open.PulledType>().toEqualTypeOf<Exclude<keyof typeof eventTypes, 'ping'>>();
    type Data = { -readonly [Type in keyof typeof eventSchemas]: Static<(typeof eventSchemas)[Type]> };
    type Plain<Of> = { [Type in keyof Of]: Loose<Omit<Of[Type], 'config'>> };
    expectTypeOf<Plain<open.EventData>>().toEqualTypeOf<Plain<Data>>();
  });

  it.each(Object.entries(described))('%s is as the API description has it', (name, schema) => {
    expect(bones(schema)).toEqual(bones(componentOf(name)));
  });

  it('are all compared above', () => {
    const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
    const own = read('./types.test.ts');
    const missing = ['open', 'portal'].flatMap((entry) => {
      const source = read(entry === 'open' ? '../src/index.ts' : '../src/portal/index.ts');
      const blocks = source.matchAll(
        /export type \{([^}]+)\} from '[./]+(?:work-|channel-|event-|watch-)?(?:records|envelope)\.ts'/g,
      );
      const names = [...blocks].flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
      return names
        .filter((name) => name !== '')
        .map((name) => name.split(' as ').at(-1))
        .filter(
          (name) =>
            !['<NAME>', '<NAME<', '<NAME,', ' NAME<'].some((use) =>
              own.includes(use.replace('NAME', `${entry}.${name}`)),
            ),
        )
        .map((name) => `${entry}.${name}`);
    });
    // The same types as in the first entry.
    expect(missing).toEqual(['portal.FieldError', 'portal.NestedPage', 'portal.PageQuery', 'portal.Problem']);
  });
});
