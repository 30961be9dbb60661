/** An address that must not be fetched, or a response that must not be used. Retrying is pointless. */
export class FetchRefused extends Error {}

/** A temporary failure: unreachable, too slow, or interrupted. Retrying may help. */
export class FetchFailed extends Error {}
