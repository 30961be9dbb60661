/** An upload is given up after this time without any bytes. */
export const longestSilenceMs = 120_000
