-- The function has another name: entitlement_status, in functions/money.sql.
drop function if exists standing_of(text, text, text, text[]);
