import { spawn } from 'node:child_process'

/** Runs a program to its end. Shows its output only if it fails. */
export function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    })
    const printed: Buffer[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => void printed.push(chunk))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0) return resolve()
      const words = [command, ...args].join(' ')
      reject(new Error(`\`${words}\` ended with ${signal ?? code}:\n${Buffer.concat(printed)}`))
    })
  })
}
