import { createServer } from 'node:net'
import { type Config, StartError } from '../config/config.js'
import { openCountryFile } from '../countries/country-file.js'
import { type Claim, claimFolder } from '../db/embedded/claim-folder.js'
import { folderTrouble } from '../installation/files.js'

/** Claims the folder and checks that the port is free. Reports all problems at once. */
export async function preflight(config: Config, problems: readonly string[]): Promise<Claim> {
  const trouble = await folderTrouble(config.dataDir)
  const claim = trouble
    ? new Error(trouble)
    : await claimFolder(config.dataDir).catch((error: Error) => error)
  const found = [
    ...problems,
    ...(claim instanceof Error ? [claim.message] : []),
    ...(await countryFileTrouble(config)),
    ...(problems.some((problem) => /^(PORT|HOST) /.test(problem)) ? [] : await portTrouble(config)),
  ]
  if (found.length === 0 && !(claim instanceof Error)) return claim
  if (!(claim instanceof Error)) claim.release()
  throw new StartError(found)
}

async function countryFileTrouble({ countryFile }: Config): Promise<string[]> {
  if (countryFile === undefined) return []
  const file = await openCountryFile(countryFile, () => {}).catch((error: Error) => error)
  if (file instanceof Error) return [file.message]
  file.close()
  return []
}

function portTrouble({ port, host }: Config): Promise<string[]> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => resolve([whyNotListen(error, port, host)]))
    probe.listen(port, host, () => probe.close(() => resolve([])))
  })
}

function whyNotListen({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken by another program. Stop that one, or set PORT to another number.`
  if (code === 'EACCES') return `This user may not listen on port ${port}. Set PORT to a number above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST ${host} is not an address of this machine.`
  return `It is not possible to listen on ${host}:${port} (${message}).`
}
