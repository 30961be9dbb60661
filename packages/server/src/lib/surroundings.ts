/** Where somebody is, as far as it is known: what rules about places look at. */
export interface Place {
  /** ISO 3166: two letters. */
  readonly country?: string
  readonly continent?: string
  /** The state or province by all its names, the city, the postal code and the market area. */
  readonly state?: readonly string[]
  readonly city?: readonly string[]
  readonly zip_code?: readonly string[]
  readonly dma_code?: readonly string[]
}

/** Where and on what somebody watches. */
export interface Surroundings {
  /** The network address. */
  readonly address: string
  readonly place: Place
  /** The kind of device, by its name; empty where it is not known. */
  readonly device: string
  /** The app that asks, if it is one. */
  readonly app_id: string
  /** The site whose page it is; empty outside of pages. */
  readonly host: string
  readonly port: string
}

/** The same where device, app or site may not have been told. */
export type KnownSurroundings = Pick<Surroundings, 'address' | 'place'> & Partial<Surroundings>

/** Knows where network addresses are. */
export interface Places {
  /** Whether anything tells in which country somebody is. */
  readonly isSetUp: boolean
  /** Where an address is; a proxy that is believed may have said it of the one who asks. */
  find(address: string, told?: ToldByProxy): Place
}

/** What came with a request, and from which neighbour. */
export interface ToldByProxy {
  readonly neighbour: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** What a request says about where it comes from. */
export interface Origin {
  /** The network address the request came from. */
  readonly address: string
  surroundings(): Surroundings
  readonly places: Places
}
