/** An upload of which nothing comes for so long is given up. */
export const longestSilenceMs = 120_000
