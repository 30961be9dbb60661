import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Runs a program to its end. Its output is shown only if it fails. */
export function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: object = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        output += data
      })
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0
        ? resolve(output)
        : reject(new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output.slice(-3000)}`)),
    )
  })
}

/**
 * Installs packages into a folder of their own, once. They are no dependencies of ours. Programs that they would compile
 * are drivers of other databases and a sandbox for scripts, which nothing here uses.
 */
export async function install(folder: string, packages: Readonly<Record<string, string>>): Promise<void> {
  const manifest = JSON.stringify({ private: true, dependencies: packages }, undefined, 2)
  const done = join(folder, 'installed.json')
  if (existsSync(done) && (await readFile(done, 'utf8')) === manifest) return
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), manifest)
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], folder)
  await writeFile(done, manifest)
}
