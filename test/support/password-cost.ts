/**
 * The cost of passwords in tests that are not about it. The server hashes in threads of the lowest priority, which get little
 * time while tests run.
 */
export const littleCost = { memoryCost: 64, timeCost: 1, parallelism: 1 }
