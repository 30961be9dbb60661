import { plural } from '../numbers.js'

export const strings = {
  profile: 'Profile',
  thisProfile: 'Open this profile',
  allProfiles: 'All audience rules',
  add: 'Add a rule',
  edit: 'Edit',
  editOf: (name: string) => `Edit the rule ${name}`,
  deleteOf: (name: string) => `Delete the rule ${name}`,
  deleted: 'Rule deleted',
  failed: 'Could not change the rules',
  off: 'off',
  policies: { allow: 'Allow', deny: 'Block' },
  in: (places: string) => `in ${places}`,
  at: (addresses: string) => `at ${addresses}`,
  on: (sites: string) => `on ${sites}`,
  devices: (count: number) => plural(count, { one: 'on # type of device', other: 'on # types of device' }),
  from: (when: string) => `from ${when}`,
  until: (when: string) => `until ${when}`,
  everybody: 'everyone',
  refuse: 'Block everyone?',
  refuseAbout:
    'This rule names no place, site, device or time, so nobody can watch unless another rule allows it.',
  refuseAll: 'Block everyone',
  cancel: 'Cancel',
} as const
