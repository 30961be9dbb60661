-- The first partitions of events.
select keep_event_days(30);
