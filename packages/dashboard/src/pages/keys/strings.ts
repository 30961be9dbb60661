import { inList } from '../../ui/numbers.js'

/** Keeps abbreviations such as PINs as they are. */
const lowerFirst = (name: string) =>
  /^[A-Z]{2}/.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1)

const sentence = (verb: string, names: readonly string[] | 'all') => {
  if (names === 'all') return `${verb} everything.`
  return names.length === 0 ? '' : `${verb} ${inList(names.map(lowerFirst))}.`
}

export const strings = {
  title: 'API keys',
  about: 'Your servers, apps and pages use these keys to call the API.',
  reference: 'API reference',
  named: 'Keys for one purpose',
  namedAbout:
    'Give every script and service a key of its own, with only the rights it needs. You can revoke one without touching the others.',
  noneTitle: 'No keys yet',
  noneAbout:
    'Create a key for a script that uploads videos, for example, instead of giving it the admin key.',
  signing: {
    title: 'Signing keys for playback tokens',
    about:
      'With a signing key, your own server decides who may watch: it signs a token that opens one video for some minutes or hours.',
    none: 'No signing keys yet.',
    newKey: 'New signing key',
    nameHelp: 'Say what signs with it: Web shop, Membership site.',
    shownOnce:
      'Copy the private key to your server now. It is shown only this once: Zoetrope keeps the public half.',
    keyId: 'Key ID (kid)',
    privateKey: 'Private key',
    revokeAbout: 'All links and players with its tokens stop working within seconds.',
  },
  ofChannel: 'Keys of the channel',
  newKey: 'New key',
  newTitle: 'New API key',
  change: 'Change',
  changeKey: (name: string) => `Change “${name}”`,
  name: 'Name',
  nameHelp: 'Say what uses it: Upload script, Statistics.',
  may: 'Permissions',
  presets: {
    read: 'Read everything',
    upload: 'Upload and edit videos',
    full: 'Everything except keys, people and channel settings',
    custom: 'Let me choose',
  },
  presetHelp: {
    read: 'Reads videos, viewers, sales and everything else, including drafts. Changes nothing.',
    upload: 'Uploads, creates, changes and deletes videos.',
    full: 'Like the admin key, but it cannot create keys, invite people or see the secrets of apps.',
    custom: 'Choose for each type of record.',
  },
  kind: 'Type of record',
  changeAlone:
    'Change alone does not let a key read. The API names a permission by the type of record: videos:read, videos:write.',
  rights: { read: 'Read', write: 'Change' },
  right: { read: (name: string) => `Read: ${name}`, write: (name: string) => `Change: ${name}` },
  resources: {
    consumers: 'Viewers',
    content_rule_profiles: 'Audience rules',
    device_categories: 'Types of device',
    devices: 'Devices',
    feeds: 'Feeds',
    format_costs: 'Cost of formats',
    geoip: 'Location of addresses',
    pass_plans: 'Passes',
    pin: 'PINs of TVs',
    redemption_codes: 'Codes',
    revenue_models: 'Revenue models',
    video_sources: 'Sources',
    zobject_types: 'Types of object',
    zobjects: 'Objects',
  },
  everything: 'Reads and changes everything except keys, people and channel settings.',
  does: {
    read: (names: readonly string[] | 'all') => sentence('Reads', names),
    write: (names: readonly string[] | 'all') => sentence('Changes', names),
  },
  expiry: 'Expires',
  expiries: {
    never: 'Never',
    30: 'In 30 days',
    90: 'In 90 days',
    365: 'In a year',
    date: 'At the end of a day…',
  },
  lastDay: 'Last day',
  networks: 'Only from these networks',
  networksHelp:
    'Addresses or networks, one on each line: 203.0.113.7, 203.0.113.0/24. Leave empty to allow all.',
  rate: 'Requests per minute',
  rateHelp: 'More are refused until the minute is over. Leave empty for no limit.',
  strict: 'Refuse what is not understood',
  strictHelp:
    'A misspelt filter or field then returns an error that names it. Without this, it is ignored, as some existing programs expect.',
  create: 'Create key',
  save: 'Save',
  key: 'Key',
  shownOnce: 'Copy the key now. It is not shown again.',
  done: 'Done',
  saved: 'Saved',
  expired: 'Expired',
  expires: (when: string) => `Expires ${when}`,
  from: (networks: readonly string[]) => `Only from ${networks.join(', ')}`,
  revoke: 'Revoke',
  revokeKey: (name: string) => `Revoke “${name}”`,
  revokeQuestion: (name: string) => `Revoke “${name}”?`,
  revokeAbout: 'It stops working within a second, wherever it is used. You can undo this for 30 days.',
  revoked: 'Key revoked',
  notRevoked: 'Could not revoke the key',
  kinds: {
    admin: { title: 'Admin key', about: 'Full access to this channel. Use it on your servers only.' },
    read_only: { title: 'Read-only key', about: 'Reads what viewers can see. Safe to use in an app.' },
    player: { title: 'Player key', about: 'Plays videos on your pages. It is part of every embed code.' },
  },
  lastUsed: (when: string) => `Last used ${when}`,
  neverUsed: 'Never used',
  made: (when: string) => `Created ${when}`,
  previous: (when: string) => `The previous key works until ${when}`,
  replaceAbout:
    'A new key is created now. The old key stops working when the time below is over, so update everything that uses it before then.',
} as const
