/** Somebody was asked and thought better of it: nothing was done, and nothing went wrong. */
export class GivenUp extends Error {}
