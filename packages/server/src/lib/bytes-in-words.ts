/** An amount of bytes for people. */
export const bytesInWords = (bytes: number): string =>
  bytes < 1e8 ? `${bytes.toLocaleString('en')} bytes` : `${Number((bytes / 1e9).toFixed(1))} GB`
