import { type EventType, eventTypes } from '@portico/sdk/portal';
import { words } from './words.ts';

type Meanings = Record<EventType, string>;

/** What each event tells of; in English as the service says it. */
export const eventMeanings: Meanings = words<Meanings>({
  'transfer.created': [eventTypes['transfer.created'], '转账已创建。'],
  'transfer.processing': [eventTypes['transfer.processing'], '转账处理中。'],
  'transfer.completed': [eventTypes['transfer.completed'], '转账已到账。'],
  'transfer.failed': [eventTypes['transfer.failed'], '转账失败。'],
  'transfer.cancelled': [eventTypes['transfer.cancelled'], '转账在开始处理前被取消。'],
  'file.created': [eventTypes['file.created'], '文件已上传。'],
  'file.archived': [eventTypes['file.archived'], '文件已归档。'],
  'file.restored': [eventTypes['file.restored'], '文件已从归档中恢复。'],
  'file.deleted': [eventTypes['file.deleted'], '文件已删除。'],
  'file.quarantined': [eventTypes['file.quarantined'], '扫描发现文件存在风险。'],
  'api-key.created': [eventTypes['api-key.created'], 'API 密钥已创建。'],
  'api-key.rotated': [eventTypes['api-key.rotated'], 'API 密钥已轮换。'],
  'api-key.disabled': [eventTypes['api-key.disabled'], 'API 密钥已停用。'],
  'api-key.enabled': [eventTypes['api-key.enabled'], 'API 密钥已启用。'],
  'api-key.revoked': [eventTypes['api-key.revoked'], 'API 密钥已永久吊销。'],
  'api-key.expiring': [eventTypes['api-key.expiring'], 'API 密钥将在 14、3 或 1 天后过期。'],
  'member.invited': [eventTypes['member.invited'], '有人被邀请加入工作区。'],
  'member.added': [eventTypes['member.added'], '有人成为工作区成员。'],
  'member.changed': [eventTypes['member.changed'], '成员的角色已变更。'],
  'member.removed': [eventTypes['member.removed'], '成员已离开或被移除。'],
  'channel.disabled': [eventTypes['channel.disabled'], '通知渠道已停用。'],
  ping: [eventTypes.ping, '对单个渠道的测试。'],
});
