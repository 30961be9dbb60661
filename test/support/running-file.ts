let running = ''

/** The test file whose tests run now, below the root of the project. */
export const runningFile = () => running

export function beginFile(file: string): void {
  running = file
}

const closing: (() => Promise<void>)[] = []

/** Closes something that files share when the process has run its last one. */
export function atEnd(close: () => Promise<void>): void {
  closing.push(close)
}

export async function closeShared(): Promise<void> {
  for (const close of closing) await close()
}
