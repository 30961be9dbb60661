/** The countries of ISO 3166-1 and Kosovo by continent, each with its two-letter and three-letter code. */
const byContinent = {
  AF: `DZ DZA AO AGO BJ BEN BW BWA BF BFA BI BDI CM CMR CV CPV CF CAF TD TCD KM COM CG COG CD COD CI CIV DJ DJI EG EGY
    EH ESH ER ERI ET ETH GA GAB GM GMB GH GHA GN GIN GW GNB GQ GNQ KE KEN LS LSO LR LBR LY LBY MG MDG ML MLI MW MWI
    MR MRT MU MUS MA MAR MZ MOZ NA NAM NE NER NG NGA RE REU RW RWA ST STP SN SEN SC SYC SH SHN SL SLE SO SOM ZA ZAF
    SS SSD SD SDN SZ SWZ TG TGO TN TUN TZ TZA UG UGA YT MYT ZM ZMB ZW ZWE`,
  AN: 'AQ ATA BV BVT GS SGS HM HMD TF ATF',
  AS: `AE ARE AF AFG AM ARM AZ AZE BD BGD BH BHR BN BRN BT BTN CC CCK CN CHN CX CXR CY CYP GE GEO HK HKG ID IDN IL ISR
    IN IND IO IOT IQ IRQ IR IRN JO JOR JP JPN KG KGZ KH KHM KP PRK KR KOR KW KWT KZ KAZ LA LAO LB LBN LK LKA MM MMR
    MN MNG MO MAC MV MDV MY MYS NP NPL OM OMN PH PHL PK PAK PS PSE QA QAT SA SAU SG SGP SY SYR TH THA TJ TJK TL TLS
    TM TKM TR TUR TW TWN UZ UZB VN VNM YE YEM`,
  EU: `AD AND AL ALB AT AUT AX ALA BA BIH BE BEL BG BGR BY BLR CH CHE CZ CZE DE DEU DK DNK EE EST ES ESP FI FIN FO FRO
    FR FRA GB GBR GG GGY GI GIB GR GRC HR HRV HU HUN IE IRL IM IMN IS ISL IT ITA JE JEY LI LIE LT LTU LU LUX LV LVA
    MC MCO MD MDA ME MNE MK MKD MT MLT NL NLD NO NOR PL POL PT PRT RO ROU RS SRB RU RUS SE SWE SI SVN SJ SJM SK SVK
    SM SMR UA UKR VA VAT XK XKX`,
  NA: `AG ATG AI AIA AW ABW BB BRB BL BLM BM BMU BQ BES BS BHS BZ BLZ CA CAN CR CRI CU CUB CW CUW DM DMA DO DOM GD GRD
    GL GRL GP GLP GT GTM HN HND HT HTI JM JAM KN KNA KY CYM LC LCA MF MAF MQ MTQ MS MSR MX MEX NI NIC PA PAN PM SPM
    PR PRI SV SLV SX SXM TC TCA TT TTO US USA VC VCT VG VGB VI VIR`,
  OC: `AS ASM AU AUS CK COK FJ FJI FM FSM GU GUM KI KIR MH MHL MP MNP NC NCL NF NFK NR NRU NU NIU NZ NZL PF PYF PG PNG
    PN PCN PW PLW SB SLB TK TKL TO TON TV TUV UM UMI VU VUT WF WLF WS WSM`,
  SA: 'AR ARG BO BOL BR BRA CL CHL CO COL EC ECU FK FLK GF GUF GY GUY PE PER PY PRY SR SUR UY URY VE VEN',
} as const

export interface Country {
  readonly code2: string
  readonly code3: string
  readonly continent: string
}

const countries: readonly Country[] = Object.entries(byContinent).flatMap(([continent, codes]) =>
  [...codes.matchAll(/([A-Z]{2}) ([A-Z]{3})/g)].map(([, code2 = '', code3 = '']) => ({
    code2,
    code3,
    continent,
  })),
)
const byCode = new Map(
  countries.flatMap((country) => [country.code2, country.code3].map((code) => [code, country])),
)

/** The country with this two-letter or three-letter code, in either case. */
export const countryOf = (code: string): Country | undefined => byCode.get(code.trim().toUpperCase())

const names = new Intl.DisplayNames('en', { type: 'region' })

/** The English name of a country. */
export const nameOfCountry = ({ code2 }: Country): string => names.of(code2) ?? code2
