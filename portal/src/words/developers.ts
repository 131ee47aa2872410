import { words } from './words.ts';

export const developersWords = words({
  title: ['Developers', '开发者'],
  about: [
    'Everything for the first signed call, and for the one that is refused',
    '从首次签名调用到排查被拒请求，所需一应俱全',
  ],
  baseUrl: ['Base URL', '基础 URL'],
  baseUrlCopy: ['base URL', '基础 URL'],
  reference: ['API reference', '接口文档'],
  referenceAbout: ['Every endpoint, to read and to try', '查看并试用每个接口'],
  description: ['OpenAPI description', 'OpenAPI 描述文件'],
  descriptionAbout: ['For generators and other tools', '供代码生成器等工具使用'],
  samples: ['Samples', '示例代码'],
  samplesAbout: [
    'Each lists the transfers of a workspace, page by page, without any library. The key needs the scope transfers:read.',
    '每个示例逐页列出工作区的转账，不依赖任何库。密钥需要 transfers:read 权限。',
  ],
  curlAndOpenssl: ['curl and openssl', 'curl 与 openssl'],
  sample: ['sample', '示例代码'],
  runIt: ['Run it', '运行'],
  commands: ['commands', '命令'],
  errorCodes: ['Error codes', '错误码'],
  errorCodesAbout: [
    'Everything the service can answer. The code is stable; the message may change.',
    '服务可能返回的全部错误。错误码保持稳定，提示信息可能变化。',
  ],
  searchErrors: ['Search error codes', '搜索错误码'],
  search: ['Search', '搜索'],
  noError: ['No error has these words.', '没有匹配的错误码。'],
  code: ['Code', '错误码'],
  meaning: ['Meaning', '含义'],
});

export const debuggerWords = words({
  title: ['Signature debugger', '签名调试'],
  about: [
    'Signs a request here, in your browser, and shows every step. Nothing you type leaves this page, and leaving it forgets everything.',
    '在浏览器中为请求签名，并展示每个步骤。输入的内容不会离开本页，离开即清除。',
  ],
  insecure: ['This page was opened over plain http', '当前页面通过 http 打开'],
  insecureAbout: [
    'Browsers sign only on pages of https, and of this machine itself (localhost, 127.0.0.1). Open the portal by https to use the debugger; the samples below sign anywhere.',
    '浏览器仅允许在 https 页面或本机（localhost、127.0.0.1）上签名。请通过 https 打开门户以使用签名调试；下方示例不受此限制。',
  ],
  loadExample: ['Load the example', '载入示例'],
  startOver: ['Start over', '重新开始'],
  vector: ['Test vector', '测试向量'],
  loadVector: ['Load a test vector …', '载入测试向量…'],
  method: ['Method', '方法'],
  path: ['Path', '路径'],
  query: ['Query', '查询参数'],
  body: ['Body', '请求体'],
  noBody: ['None', '无'],
  isBase64: ['Given as Base64, for bytes that cannot be typed', '以 Base64 填写，用于无法直接输入的字节'],
  keyId: ['API key ID', 'API 密钥 ID'],
  secret: ['Secret', '签名密钥'],
  secretAbout: ['Stays in this tab: never sent, never stored.', '仅保留在此标签页：不发送，不保存。'],
  timestamp: ['Timestamp', '时间戳'],
  now: ['Now', '当前时间'],
  nonce: ['Nonce', 'Nonce（随机串）'],
  newNonce: ['New nonce', '生成 nonce'],
  toSign: ['String to sign', '待签名字符串'],
  toSignCopy: ['string to sign', '待签名字符串'],
  toSignLines: ['String to sign, line by line', '待签名字符串，逐行'],
  toSignLater: ['Appears once the body can be read.', '请求体可解析后显示。'],
  signature: ['Signature', '签名'],
  signatureCopy: ['signature', '签名'],
  signatureLater: ['Enter a secret to see it.', '填写签名密钥后显示。'],
  curlCopy: ['curl command', 'curl 命令'],
  curlLater: ['Appears with the signature.', '生成签名后显示。'],
  curlLate: [
    'The service would refuse this timestamp, as it is more than 300 seconds away from now: press Now before you send it. It holds the signature, not the secret.',
    '此时间戳与当前时间相差超过 300 秒，会被服务拒绝：发送前请点击“当前时间”。命令包含签名，不含签名密钥。',
  ],
  curlOnce: [
    'For bash and zsh. It works once, within 300 seconds of its timestamp: then press Now and New nonce. It holds the signature, not the secret.',
    '适用于 bash 和 zsh。仅在时间戳前后 300 秒内有效一次：再次使用请点击“当前时间”和“生成 nonce”。命令包含签名，不含签名密钥。',
  ],
  compare: ['Compare with your own', '与您的结果比对'],
  ownSignature: ['Signature to compare', '待比对的签名'],
  ownSignatureAbout: ['What your code sends in X-Signature', '您的代码在 X-Signature 中发送的内容'],
  ownText: ['String to compare', '待比对的字符串'],
  ownTextAbout: [
    'What your code signs, or stringToSign of a refusal as application/problem+json',
    '您的代码所签名的内容，或 application/problem+json 拒绝响应中的 stringToSign',
  ],
});

/** What each line of the string to sign is. */
export const lineWords = words({
  scheme: ['Scheme', '签名方案'],
  schemeFrom: ['Always the same', '固定不变'],
  method: ['Method', '方法'],
  methodFrom: ['Method, in upper case', '请求方法，大写'],
  path: ['Path', '路径'],
  pathFrom: ['Path, exactly as it is sent', '路径，与实际发送的完全一致'],
  query: ['Canonical query', '规范化查询参数'],
  queryFrom: ['Query, encoded anew and sorted by name', '查询参数，重新编码并按名称排序'],
  queryNone: ['No query: the line stays, empty', '无查询参数：保留空行'],
  timestamp: ['Timestamp', '时间戳'],
  timestampFrom: ['X-Timestamp, epoch seconds', 'X-Timestamp，Unix 秒'],
  nonce: ['Nonce', 'Nonce（随机串）'],
  keyId: ['Key id', '密钥 ID'],
  hash: ['Hash of the body', '请求体摘要'],
  hashNone: ['SHA-256 of no bytes', '空内容的 SHA-256'],
  hashFrom: [(bytes: string) => `SHA-256 of the ${bytes} of Body`, (bytes) => `请求体（${bytes}）的 SHA-256`],
  lineFeed: ['A line feed, one byte: 0A', '换行符，一个字节：0A'],
  before: ['Before', '规范化前'],
  yours: ['Yours', '您的'],
  empty: ['empty', '空'],
  matches: ['matches', '一致'],
  differs: ['differs', '不一致'],
});

/** What is told of another's signature or string. */
export const verdictWords = words({
  match: ['The signatures match.', '签名一致。'],
  upperCase: ['The right signature, but in upper case: send lower case.', '签名正确，但为大写：请发送小写。'],
  base64: [
    'The right signature, but in Base64: send hexadecimal.',
    '签名正确，但为 Base64：请发送十六进制。',
  ],
  notHex: [
    'The signatures differ: this one is not of 64 hexadecimal digits.',
    '签名不一致：填写的不是 64 位十六进制。',
  ],
  differ: [
    'The signatures differ: another secret, or another string to sign.',
    '签名不一致：签名密钥或待签名字符串不同。',
  ],
  noLine: ['no such line', '没有这一行'],
  escaped: [
    ' Its lines are joined by a backslash and an n: right in JSON, wrong in a signature.',
    '各行以反斜杠加 n 连接：在 JSON 中正确，在签名中错误。',
  ],
  lineDiffers: [(line: number) => `Line ${line} differs.`, (line) => `第 ${line} 行不一致。`],
  linesDiffer: [(lines: string) => `Lines ${lines} differ.`, (lines) => `第 ${lines} 行不一致。`],
  more: [
    'There is more after line 8: nothing follows it, not even a line feed.',
    '第 8 行之后还有内容：其后不应有任何字符，包括换行符。',
  ],
  allMatch: ['All eight lines match.', '八行全部一致。'],
});

/** What the service would not take. */
export const requestProblemWords = words({
  pathQuery: ['The query has a field of its own, below.', '查询参数请填写在下方单独的输入框中。'],
  pathStart: ['It begins at /api/: no host, no base path.', '以 /api/ 开头：不含主机名和基础路径。'],
  pathEncoded: [
    'Spaces, # and letters beyond ASCII are sent percent-encoded.',
    '空格、# 及非 ASCII 字符需以百分号编码发送。',
  ],
  queryMark: ['Without the question mark.', '不含问号。'],
  notBase64: ['This is not Base64.', '不是有效的 Base64。'],
  keyIsSecret: ['This is a secret. The key id begins with ak_.', '这是签名密钥。密钥 ID 以 ak_ 开头。'],
  keyStart: ['A key id begins with ak_live_ or ak_test_.', '密钥 ID 以 ak_live_ 或 ak_test_ 开头。'],
  secretSpace: ['There is a space at its beginning or its end.', '开头或结尾有空格。'],
  secretIsKey: ['This is a key id. The secret begins with sk_.', '这是密钥 ID。签名密钥以 sk_ 开头。'],
  secretWhole: [
    'The whole secret is the key, sk_live_ or sk_test_ included.',
    '请填写完整的签名密钥，包括 sk_live_ 或 sk_test_。',
  ],
  modesDiffer: [
    'One of key id and secret is LIVE, the other TEST.',
    '密钥 ID 与签名密钥的模式不同：一个是 LIVE，一个是 TEST。',
  ],
  digitsOnly: ['Digits only: epoch seconds.', '仅限数字：Unix 秒。'],
  milliseconds: ['These are milliseconds. Epoch seconds have ten digits.', '这是毫秒。Unix 秒为十位数字。'],
  nonceShape: ['A nonce has the shape of a UUID.', 'Nonce 应为 UUID 格式。'],
});
