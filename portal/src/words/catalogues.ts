import { type Scope, scopes } from '@portico/sdk/portal';
import { words } from './words.ts';

type Said = readonly [en: string, zh: string];

const allowed: Record<Scope, Said> = {
  'transfers:read': [scopes['transfers:read'], '查询工作区中与密钥模式相同的转账'],
  'transfers:write': [scopes['transfers:write'], '创建和取消与密钥模式相同的转账'],
  'files:read': [scopes['files:read'], '查询和下载工作区中与密钥模式相同的文件'],
  'files:write': [scopes['files:write'], '上传和删除工作区中与密钥模式相同的文件'],
  'channel-types:read': [scopes['channel-types:read'], '查询通知渠道类型'],
  'events:read': [
    scopes['events:read'],
    '拉取工作区的事件，包括密钥和成员的事件：与密钥模式相同的，以及不分模式的',
  ],
};

/** By scope: what it allows. */
export const scopeWords = words(allowed);
