import type {
  ChannelStatus,
  ChannelTypeStatus,
  DeliveryStatus,
  FileCategory,
  FileStatus,
  InvitationStatus,
  KeyStatus,
  Scope,
  TransferStatus,
  WorkspaceRole,
} from '@portico/sdk/portal';
import { words } from './words.ts';

type Said = readonly [en: string, zh: string];

const categories: Record<FileCategory, Said> = {
  IDENTITY_DOCUMENT: ['Identity document', '身份证件'],
  BUSINESS_REGISTRATION: ['Business registration', '工商登记'],
  PROOF_OF_ADDRESS: ['Proof of address', '地址证明'],
  BENEFICIAL_OWNERSHIP: ['Beneficial ownership', '受益所有权'],
  BANK_STATEMENT: ['Bank statement', '银行对账单'],
  TAX_DOCUMENT: ['Tax document', '税务文件'],
  CONTRACT: ['Contract', '合同'],
  INVOICE: ['Invoice', '发票'],
  PAYOUT_BATCH: ['Payout batch', '付款批次'],
  SETTLEMENT_REPORT: ['Settlement report', '结算报告'],
  TRANSACTION_REPORT: ['Transaction report', '交易报告'],
  RECONCILIATION_REPORT: ['Reconciliation report', '对账报告'],
  DISPUTE_EVIDENCE: ['Dispute evidence', '争议证据'],
  COMPLIANCE_REPORT: ['Compliance report', '合规报告'],
  BRANDING: ['Branding', '品牌素材'],
  AUDIT_EXPORT: ['Audit export', '审计导出'],
  OTHER: ['Other', '其他'],
};

const statuses: Record<
  | ChannelStatus
  | ChannelTypeStatus
  | DeliveryStatus
  | FileStatus
  | InvitationStatus
  | KeyStatus
  | TransferStatus
  | 'ON'
  | 'OFF',
  Said
> = {
  ACCEPTED: ['Accepted', '已接受'],
  ACTIVE: ['Active', '有效'],
  ARCHIVED: ['Archived', '已归档'],
  CANCELLED: ['Cancelled', '已取消'],
  COMPLETED: ['Completed', '已完成'],
  DISABLED: ['Disabled', '已停用'],
  ENABLED: ['Enabled', '已启用'],
  EXPIRED: ['Expired', '已过期'],
  FAILED: ['Failed', '失败'],
  FAILING: ['Failing', '投递异常'],
  OFF: ['Off', '未开启'],
  ON: ['On', '已开启'],
  PENDING: ['Pending', '待处理'],
  PROCESSING: ['Processing', '处理中'],
  QUARANTINED: ['Quarantined', '已隔离'],
  REJECTED: ['Rejected', '已拒绝'],
  REVOKED: ['Revoked', '已吊销'],
  SUCCEEDED: ['Succeeded', '成功'],
};

const roles: Record<WorkspaceRole, Said> = {
  OWNER: ['Owner', '所有者'],
  MEMBER: ['Member', '成员'],
  VIEWER: ['Viewer', '查看者'],
};

/** Who acts, in the audit log. */
const actors: Record<'ACCOUNT' | 'API_KEY' | 'OPERATOR' | 'SYSTEM', Said> = {
  ACCOUNT: ['Account', '账户'],
  API_KEY: ['Api key', 'API 密钥'],
  OPERATOR: ['Operator', '运维人员'],
  SYSTEM: ['System', '系统'],
};

type Upper<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Uppercase<Head>}_${Uppercase<Tail>}`
  : Uppercase<Text>;
type ResourceOf<Each> = Each extends `${infer Resource}:${string}` ? Upper<Resource> : never;

/** What scopes are about. */
const resources: Record<ResourceOf<Scope>, Said> = {
  TRANSFERS: ['Transfers', '转账'],
  FILES: ['Files', '文件'],
  CHANNEL_TYPES: ['Channel types', '渠道类型'],
  EVENTS: ['Events', '事件'],
};

/** What people read where a record has a code. */
export const nameWords = words({ ...categories, ...statuses, ...roles, ...actors, ...resources });
