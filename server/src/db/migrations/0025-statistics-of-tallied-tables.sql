-- Of a tenant that the statistics do not know PostgreSQL expects one row, and any index is as good to it as another: the counts of a
-- new tenant's first million were each spread by reading all of them. These tables are looked at again when a hundredth of them is new.
alter table files set (autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000);
alter table transfers set (autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000);
alter table deliveries set (autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000);
alter table audit_log set (autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000);
