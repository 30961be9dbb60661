/** For `catch`: the value if the error has one of the codes; any other error is thrown again. */
export function unless<T>(codes: readonly string[], value: T): (error: unknown) => T {
  return (error) => {
    if (codes.includes(codeOf(error))) return value
    throw error
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
