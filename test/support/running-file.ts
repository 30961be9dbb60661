let running = ''

/** Returns the test file that is running, relative to the root of the project. */
export const runningFile = () => running

export function beginFile(file: string): void {
  running = file
}

const closing: (() => Promise<void>)[] = []

/** Registers a function that closes something shared by test files, after the last file of the process. */
export function atEnd(close: () => Promise<void>): void {
  closing.push(close)
}

export async function closeShared(): Promise<void> {
  for (const close of closing) await close()
}
