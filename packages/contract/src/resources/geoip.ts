import { text } from '../fields.js'
import { defineResource } from '../resource.js'

const told = (about: string) => text({ about, computed: true })

export const geoip = defineResource({
  name: 'geoip',
  plural: 'geoips',
  about:
    'The country of a network address: that of the caller, or the one in ip_address. Unknown fields are null.',
  access: { read_only: 'read', app: 'read' },
  single: true,
  derived: true,
  operations: ['get'],
  readOptions: {
    ip_address: text({
      about: 'The address to look up: IPv4 or IPv6. Defaults to that of the caller.',
      maxLength: 45,
    }),
  },
  fields: {
    request: text({ about: 'The requested address.', computed: true, always: true }),
    ip: text({ about: 'The address that was looked up.', computed: true, always: true }),
    country_code: told('The code of the country: two letters, as country_code2.'),
    country_code2: told('Two letters, as in ISO 3166.'),
    country_code3: told('Three letters, likewise.'),
    country_name: told('The English name of the country.'),
    continent_code: told('AF, AN, AS, EU, NA, OC or SA.'),
  },
})
