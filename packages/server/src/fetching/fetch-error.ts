/** An address that we do not go to, or an answer that we do not take. Trying again changes nothing. */
export class FetchRefused extends Error {}

/** It did not work this time: nobody there, too slow, broken off. Trying again may help. */
export class FetchFailed extends Error {}
