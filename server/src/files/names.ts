/** Category codes as a filter takes them, and the names that are returned. */
export const fileCategories = {
  1: 'IDENTITY_DOCUMENT',
  2: 'BUSINESS_REGISTRATION',
  3: 'PROOF_OF_ADDRESS',
  4: 'BENEFICIAL_OWNERSHIP',
  5: 'BANK_STATEMENT',
  6: 'TAX_DOCUMENT',
  7: 'CONTRACT',
  8: 'INVOICE',
  9: 'PAYOUT_BATCH',
  10: 'SETTLEMENT_REPORT',
  11: 'TRANSACTION_REPORT',
  12: 'RECONCILIATION_REPORT',
  13: 'DISPUTE_EVIDENCE',
  14: 'COMPLIANCE_REPORT',
  15: 'BRANDING',
  16: 'AUDIT_EXPORT',
  99: 'OTHER',
} as const;

/** The same of statuses. */
export const fileStatuses = {
  1: 'ACTIVE',
  2: 'PENDING',
  3: 'PROCESSING',
  4: 'QUARANTINED',
  5: 'ARCHIVED',
  6: 'EXPIRED',
  7: 'REJECTED',
} as const;
