import { demoAccounts, demoPassword } from './demo-world.ts';

const emptyBodyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** What someone who has just started the service pastes next. The secret of the key stays in a shell variable. */
export function welcome(url: string, basePath: string): string {
  const json = `-H 'Content-Type: application/json'`;
  const turnstile = `-H 'X-Turnstile-Token: XXXX.DUMMY.TOKEN.XXXX'`;
  const bearer = '-H "Authorization: Bearer $TOKEN"';
  const field = (name: string) => `sed -E 's/.*"${name}":"([^"]*)".*/\\1/'`;
  return `
Portico is ready at ${url}${basePath}
  reference  ${url}${basePath}/docs
  accounts   ${demoAccounts.join('  ')}
  password   ${demoPassword}

Sign in:

TOKEN=$(curl -s ${url}${basePath}/web/v1/auth/login ${json} ${turnstile} -d '{"email":"${demoAccounts[0]}","password":"${demoPassword}"}' | ${field('accessToken')}); echo "$TOKEN"

List files:

curl -s '${url}${basePath}/web/v1/files/query/list?size=3' ${json} ${turnstile} ${bearer} -d '{"institutionBizId":"INST_DEMO"}'; echo

Create an API key and call the signed Open API with it:

KEY=$(curl -s ${url}${basePath}/web/v1/workspaces/WS_DEMO/api-keys ${json} ${bearer} -d '{"name":"First key","scopes":["transfers:read"],"mode":2}')
ID=$(echo "$KEY" | ${field('apiKeyId')}); SECRET=$(echo "$KEY" | ${field('secret')}); TIME=$(date +%s)
NONCE=$(openssl rand -hex 16 | sed -E 's/(.{8})(.{4})(.{4})(.{4})/\\1-\\2-\\3-\\4-/')
SIGNATURE=$(printf 'PORTICO1-HMAC-SHA256\\nGET\\n/api/v1/transfers\\nsize=3\\n%s\\n%s\\n%s\\n${emptyBodyHash}' "$TIME" "$NONCE" "$ID" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)
curl -s '${url}${basePath}/api/v1/transfers?size=3' -H "X-Api-Key: $ID" -H "X-Timestamp: $TIME" -H "X-Nonce: $NONCE" -H "X-Signature: $SIGNATURE"; echo

Ctrl-C stops the service and its database.

`;
}
