export const strings = {
  title: 'Audience rules',
  about: 'Who may watch where, on what and when: written down once, and used by many videos and playlists.',
  create: 'New profile',
  empty: 'No profiles yet',
  emptyAbout:
    'A profile holds rules by country, site, kind of device and time. Videos and playlists name it under Access; one may hold for all that name none.',
  untitled: 'Untitled',
  rules: 'Rules',
  rulesColumn: 'Rules',
  rulesAbout:
    'They are tried from the lowest priority on, and the first that concerns a viewer decides. Where one allows, nobody else may watch.',
  noRules: 'No rules yet: it keeps nobody out.',
  profile: 'The profile',
  defaultColumn: 'Default',
  place: 'Where',
  circumstances: 'On what, and when',
  standing: 'How it stands to others',
} as const
