create index sign_ins_account on sign_ins (account_id);
