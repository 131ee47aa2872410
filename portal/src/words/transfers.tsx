import type { Mode } from '@portico/sdk/portal';
import type { ReactNode } from 'react';
import { words } from './words.ts';

export const transfersWords = words({
  title: ['Transfers', '转账'],
  transfer: ['transfer', '转账'],
  oneTransfer: [(id: string) => `Transfer ${id}`, (id) => `转账 ${id}`],
  listed: [(mode: Mode) => `${mode} transfers`, (mode) => `${mode} 转账`],
  aboutLive: [
    (workspace: string) => `LIVE transfers of ${workspace}`,
    (workspace) => `${workspace} 的 LIVE 转账`,
  ],
  aboutTest: [
    (workspace: string) => `TEST transfers of ${workspace}: no real money`,
    (workspace) => `${workspace} 的 TEST 转账，不涉及真实资金`,
  ],
  none: [(mode: Mode) => `No ${mode} transfers yet`, (mode) => `暂无 ${mode} 转账`],
  noneAbout: [
    (mode: Mode) => `The ${mode} transfers of this workspace are listed here.`,
    (mode) => `该工作区的 ${mode} 转账会列在这里。`,
  ],

  amount: ['Amount', '金额'],
  status: ['Status', '状态'],
  currency: ['Currency', '币种'],
  reference: ['Reference', '参考号'],
  noReference: ['None', '无'],
  transferId: ['Transfer id', '转账 ID'],
  mode: ['Mode', '模式'],
  created: ['Created', '创建时间'],
  updated: ['Updated', '更新时间'],
  all: ['All', '全部'],
  threeLetters: ['3 letters', '3 个字母'],
  currencyWithCode: [
    (name: string, code: string) => `${name} (${code})`,
    (name, code) => `${name}（${code}）`,
  ],

  create: ['Create transfer', '创建转账'],
  continue: ['Continue', '继续'],
  createTest: ['Create TEST transfer', '创建 TEST 转账'],
  createLive: ['Create LIVE transfer', '创建 LIVE 转账'],
  back: ['Back', '返回'],
  confirm: ['Confirm', '确认'],
  isCreated: ['The transfer is created', '转账已创建'],
  amountAbout: [
    'With the digits of its currency, such as 1250.00 for US dollars and 1250 for yen',
    '小数位数与币种一致，例如美元 1250.00，日元 1250',
  ],
  currencyAbout: ['Three letters, such as USD', '三位字母代码，例如 USD'],
  referenceAbout: ['Optional, what you know the transfer by', '选填，用于识别该笔转账'],
  movesMoney: ['This moves real money.', '将转移真实资金。'],
  noMoney: [(outcome: string) => `No real money. ${outcome}`, (outcome) => `不涉及真实资金。${outcome}`],
  outcomeFails: ['It fails within ten seconds.', '将在十秒内失败。'],
  outcomePending: ['It stays pending until you cancel it.', '将保持待处理，直到您取消。'],
  outcomeProcessing: [
    'It stays processing, so that cancelling it is refused.',
    '将保持处理中，取消会被拒绝。',
  ],
  outcomeCompletes: ['It completes within ten seconds.', '将在十秒内完成。'],
  createsLive: [
    (workspace: string) => `This creates a LIVE transfer of ${workspace}.`,
    (workspace) => `将为 ${workspace} 创建一笔 LIVE 转账。`,
  ],
  noAnswer: ['No answer came', '未收到响应'],
  noAnswerAbout: [
    'It is not known whether the transfer was created. Send it again as it is: however often you do, it is created once. Or look for it in the list first.',
    '无法确定转账是否已创建。可以原样重新提交：无论提交多少次都只会创建一笔。也可以先在列表中查找。',
  ],

  cancel: ['Cancel transfer', '取消转账'],
  keep: ['Keep it', '保留'],
  isCancelled: ['The transfer is cancelled', '转账已取消'],
  realMoney: ['This is real money.', '这是真实资金。'],
  notRealMoney: ['This is no real money.', '不涉及真实资金。'],
  cancelAbout: [
    (amount: ReactNode) => (
      <>The transfer of {amount} is not carried out. That cannot be undone; you can create another one.</>
    ),
    (amount) => <>金额为 {amount} 的转账将不会执行。此操作无法撤销，但可以重新创建。</>,
  ],
});
