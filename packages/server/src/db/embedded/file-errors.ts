/** The value for the listed error codes, a throw for every other one: `read().catch(unless(['ENOENT'], undefined))`. */
export function unless<T>(codes: readonly string[], value: T): (error: unknown) => T {
  return (error) => {
    if (codes.includes(codeOf(error))) return value
    throw error
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
