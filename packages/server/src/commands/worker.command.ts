import type { Command } from './define-command.js'

export const worker: Command = {
  usage: 'zoetrope worker',
  about: 'Runs one more worker: jobs and video, for the server of this DATA_DIR or of DATABASE_URL. No port.',
  async run(_args, context) {
    const { runWorker } = await import('./run-worker.js')
    await runWorker(context)
  },
}
