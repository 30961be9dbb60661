import { constants } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Account } from './account.js'

/** Of these folders and programs and all folders above them, one that the account may not enter or run. */
export async function firstClosed(account: Account, paths: readonly string[]): Promise<string | undefined> {
  const steps = new Set<string>()
  for (const path of paths) for (const step of stepsTo(await realpath(path))) steps.add(step)
  for (const step of steps) if (!(await mayExecute(account, step))) return step
  return undefined
}

function stepsTo(path: string): string[] {
  const above = dirname(path)
  return above === path ? [path] : [...stepsTo(above), path]
}

async function mayExecute({ uid, gid }: Account, path: string): Promise<boolean> {
  const { mode, uid: owner, gid: group } = await stat(path)
  if (uid === owner) return (mode & constants.S_IXUSR) !== 0
  if (gid === group) return (mode & constants.S_IXGRP) !== 0
  return (mode & constants.S_IXOTH) !== 0
}
