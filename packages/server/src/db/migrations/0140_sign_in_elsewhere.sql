-- The account of a publisher at an identity provider (OpenID Connect).
create table publisher_identities (
  issuer       text not null,
  subject      text not null,
  publisher_id text collate "C" not null references publishers on delete cascade,
  created_at   timestamptz(3) not null default now(),
  primary key (issuer, subject)
);

create index publisher_identities_of_publisher on publisher_identities (publisher_id);

-- Whether the identity provider gave the role. Each sign-in renews such a role or ends it; roles given by owners stay.
alter table memberships add column from_claims boolean not null default false;
