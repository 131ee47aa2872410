/** Everything that is written down, and what it is done to. */
export const auditActions = {
  'account.changed': { subjectType: 'ACCOUNT' },
  'account.device-confirmed': { subjectType: 'ACCOUNT' },
  'account.device-denied': { subjectType: 'ACCOUNT' },
  'account.password-changed': { subjectType: 'ACCOUNT' },
  'account.password-reset': { subjectType: 'ACCOUNT' },
  'account.password-reset-requested': { subjectType: 'ACCOUNT' },
  'account.refresh-token-reused': { subjectType: 'ACCOUNT' },
  'account.second-factor-added': { subjectType: 'ACCOUNT' },
  'account.second-factor-refused': { subjectType: 'ACCOUNT' },
  'account.second-factor-removed': { subjectType: 'ACCOUNT' },
  'account.second-factor-started': { subjectType: 'ACCOUNT' },
  'account.sign-in-failed': { subjectType: 'ACCOUNT' },
  'account.signed-in': { subjectType: 'ACCOUNT' },
  'account.signed-out': { subjectType: 'ACCOUNT' },
  'api-key.changed': { subjectType: 'API_KEY' },
  'api-key.created': { subjectType: 'API_KEY' },
  'api-key.disabled': { subjectType: 'API_KEY' },
  'api-key.enabled': { subjectType: 'API_KEY' },
  'api-key.previous-secret-ended': { subjectType: 'API_KEY' },
  'api-key.revoked': { subjectType: 'API_KEY' },
  'api-key.rotated': { subjectType: 'API_KEY' },
} as const;

export type AuditAction = keyof typeof auditActions;
