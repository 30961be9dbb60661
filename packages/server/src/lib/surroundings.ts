/** Where a viewer is, as far as known. Content rules compare it. */
export interface GeoLocation {
  /** ISO 3166: two letters. */
  readonly country?: string
  readonly continent?: string
  /** The state or province by all its names, the city, the postal code and the market area. */
  readonly state?: readonly string[]
  readonly city?: readonly string[]
  readonly zip_code?: readonly string[]
  readonly dma_code?: readonly string[]
}

/** Where and on what someone watches. */
export interface Surroundings {
  /** The network address. */
  readonly address: string
  readonly place: GeoLocation
  /** The name of the kind of device; empty if unknown. */
  readonly device: string
  /** The requesting app, if any. */
  readonly app_id: string
  /** The site of the embedding page; empty outside web pages. */
  readonly host: string
  readonly port: string
}

/** The same, where device, app or site may be unknown. */
export type KnownSurroundings = Pick<Surroundings, 'address' | 'place'> & Partial<Surroundings>

/** Looks up where network addresses are. */
export interface GeoLookup {
  /** What the operator has to set before a country can be determined at all; undefined if it can. */
  readonly problem: string | undefined
  /** Notes that a viewer was refused because the country is unknown. Without a setting that is logged, at most once an hour. */
  noteUnknown(): void
  /** Where an address is. A trusted proxy's headers take precedence over the address. */
  find(address: string, proxy?: ProxyHeaders): GeoLocation
}

/** The proxy headers of a request, and the neighbour they came from. */
export interface ProxyHeaders {
  readonly neighbour: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Where a request comes from. */
export interface Origin {
  /** The network address of the caller. */
  readonly address: string
  surroundings(): Surroundings
  readonly geo: GeoLookup
}
