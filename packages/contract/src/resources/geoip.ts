import { text } from '../fields.js'
import { defineResource } from '../resource.js'

const told = (about: string) => text({ about, computed: true })

export const geoip = defineResource({
  name: 'geoip',
  plural: 'geoips',
  about:
    'In which country a network address is: that of the caller, or the one in ip_address. What is not known is null.',
  access: { read_only: 'read', app: 'read' },
  single: true,
  derived: true,
  operations: ['get'],
  readOptions: {
    ip_address: text({
      about: 'The address to look up: IPv4 or IPv6. That of the caller when absent.',
      maxLength: 45,
    }),
  },
  fields: {
    request: text({ about: 'The address that was asked for.', computed: true, always: true }),
    ip: text({ about: 'The address that was looked up.', computed: true, always: true }),
    country_code: told('The code of the country: two letters, as country_code2.'),
    country_code2: told('Two letters, as ISO 3166 has them.'),
    country_code3: told('Three letters, likewise.'),
    country_name: told('What the country is called in English.'),
    continent_code: told('AF, AN, AS, EU, NA, OC or SA.'),
  },
})
