import { tenth } from '../../ui/numbers.js'

export const strings = {
  title: 'Request log',
  about: 'API requests from your apps and scripts in the last seven days, newest first.',
  empty: 'No requests',
  emptyAbout: 'Requests appear here as soon as an app or script calls the API.',
  status: 'Status',
  any: 'Any',
  statuses: { '2xx': '2xx: succeeded', '4xx': '4xx: rejected', '5xx': '5xx: server error' },
  method: 'Method',
  path: 'Path contains',
  columns: ['Time', 'Request', 'Status', 'Duration', 'Credential', 'Request ID'],
  took: (ms: number) => `${tenth(ms)} ms`,
  more: 'Show older',
  renew: 'Refresh',
} as const
