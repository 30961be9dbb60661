export const strings = {
  title: 'Audience rules',
  about:
    'Who can watch, by place, site, device and time. Define rules once and use them for many videos and playlists.',
  create: 'New profile',
  empty: 'No profiles yet',
  emptyAbout:
    'A profile is a set of rules. Choose it under Access of a video or playlist, or make it the default for everything else.',
  untitled: 'Untitled',
  rules: 'Rules',
  rulesColumn: 'Rules',
  rulesAbout:
    'Rules are checked in order of priority, lowest number first. The first rule that matches a viewer decides. If any rule allows, viewers who match no rule cannot watch.',
  noRules: 'No rules yet, so everyone can watch.',
  profile: 'Profile',
  defaultColumn: 'Default',
  place: 'Place',
  circumstances: 'Sites, devices and times',
  standing: 'Order and status',
} as const
