/** The user cancelled a confirmation: nothing was done, and nothing failed. */
export class GivenUp extends Error {}
