import { type Command, readOptions } from './define-command.js'

export const worker: Command = {
  usage: 'zoetrope worker',
  about:
    'Runs another worker, which runs jobs and makes video, for the server of this DATA_DIR or DATABASE_URL. Opens no port.',
  async run(args, context) {
    readOptions(args, {})
    const { runWorker } = await import('./run-worker.js')
    await runWorker(context)
  },
}
