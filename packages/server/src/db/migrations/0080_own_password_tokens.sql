-- Publishers reset the passwords of their consumers with tokens of their own, of which a digest is kept.

alter table consumers add column password_token_digest bytea;
