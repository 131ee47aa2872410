import { openChannel, sealChannel } from '../../channels/secrets.ts';
import { ConfigError } from '../../config.ts';
import type { Transaction, Transactor } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { openContent, sealContent } from '../../mail/content.ts';
import { secondFactorOwner } from '../portal/second-factors.ts';
import { signingKeyOwner } from '../portal/signing-keys.ts';
import { secretOwner } from '../signed/api-key-lookup.ts';
import { anotherMasterKey, UnknownMasterKey, type Vault } from './vault.ts';

const batch = 500;

async function resealKeySecrets(tx: Transaction, vault: Vault): Promise<boolean> {
  const rows = await tx.query<{ id: string; version: number; sealed: Buffer }>(sql`
    select api_key_id as id, version, sealed from api_key_secrets
    where substring(sealed from 1 for 8) <> ${vault.keyId} limit ${batch} for update`);
  for (const { id, version, sealed } of rows) {
    const owner = secretOwner(id, version);
    await tx.query(sql`
      update api_key_secrets set sealed = ${vault.seal(vault.open(sealed, owner), owner)} where api_key_id = ${id} and version = ${version}`);
  }
  return rows.length > 0;
}

async function resealSigningKeys(tx: Transaction, vault: Vault): Promise<void> {
  const rows = await tx.query<{ kid: string; sealed: Buffer }>(sql`
    select kid, private_jwk as sealed from jwt_signing_keys where substring(private_jwk from 1 for 8) <> ${vault.keyId} for update`);
  for (const { kid, sealed } of rows) {
    const owner = signingKeyOwner(kid);
    await tx.query(
      sql`update jwt_signing_keys set private_jwk = ${vault.seal(vault.open(sealed, owner), owner)} where kid = ${kid}`,
    );
  }
}

async function resealMails(tx: Transaction, vault: Vault): Promise<boolean> {
  const rows = await tx.query<{ id: string; sealed: Buffer }>(sql`
    select id, sealed from mails where substring(sealed from 1 for 8) <> ${vault.keyId} limit ${batch} for update`);
  for (const { id, sealed: before } of rows) {
    const { sealed, recipient } = sealContent(vault, id, openContent(vault, id, before));
    await tx.query(sql`update mails set sealed = ${sealed}, recipient = ${recipient} where id = ${id}`);
  }
  return rows.length > 0;
}

async function resealSecondFactors(tx: Transaction, vault: Vault): Promise<boolean> {
  const rows = await tx.query<{ id: number; sealed: Buffer }>(sql`
    select account_id as id, sealed from second_factors
    where substring(sealed from 1 for 8) <> ${vault.keyId} limit ${batch} for update`);
  for (const { id, sealed } of rows) {
    const owner = secondFactorOwner(id);
    await tx.query(sql`
      update second_factors set sealed = ${vault.seal(vault.open(sealed, owner), owner)} where account_id = ${id}`);
  }
  return rows.length > 0;
}

async function resealChannels(tx: Transaction, vault: Vault): Promise<boolean> {
  const rows = await tx.query<{ id: string; sealed: Buffer }>(sql`
    select biz_id as id, sealed from channels where substring(sealed from 1 for 8) <> ${vault.keyId} limit ${batch} for update`);
  for (const { id, sealed } of rows) {
    const anew = sealChannel(vault, id, openChannel(vault, id, sealed));
    await tx.query(sql`update channels set sealed = ${anew} where biz_id = ${id}`);
  }
  return rows.length > 0;
}

/** Brings what former master keys sealed under the current one. A key that is in use and not configured stops the start. */
export async function resealSecrets(db: Transactor, vault: Vault): Promise<void> {
  try {
    await db.transaction((tx) => resealSigningKeys(tx, vault));
    while (await db.transaction((tx) => resealKeySecrets(tx, vault)));
    while (await db.transaction((tx) => resealMails(tx, vault)));
    while (await db.transaction((tx) => resealSecondFactors(tx, vault)));
    while (await db.transaction((tx) => resealChannels(tx, vault)));
  } catch (error) {
    if (!(error instanceof UnknownMasterKey)) throw error;
    throw new ConfigError(anotherMasterKey);
  }
}
