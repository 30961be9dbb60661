-- Who began a resumable upload, so that the history of the video that it makes can say so.

alter table uploads add column created_by text;
