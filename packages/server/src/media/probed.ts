/** The part of ffprobe's output that is read. Every value may be missing, and none is trusted. */
export interface Probed {
  readonly format?: {
    readonly format_name?: string
    readonly start_time?: string
    readonly duration?: string
    readonly size?: string
  }
  readonly streams?: readonly ProbedStream[]
  readonly packets?: readonly { readonly stream_index?: number; readonly pts?: number }[]
}

export interface ProbedStream {
  readonly index?: number
  readonly codec_type?: string
  readonly codec_name?: string
  readonly codec_tag_string?: string
  readonly profile?: string
  readonly level?: number
  readonly pix_fmt?: string
  readonly width?: number
  readonly height?: number
  readonly sample_aspect_ratio?: string
  readonly field_order?: string
  readonly color_transfer?: string
  readonly r_frame_rate?: string
  readonly avg_frame_rate?: string
  readonly time_base?: string
  readonly start_time?: string
  readonly duration?: string
  readonly duration_ts?: number
  readonly tags?: Readonly<Record<string, string>>
  readonly bit_rate?: string
  readonly nb_frames?: string
  readonly channels?: number
  readonly channel_layout?: string
  readonly sample_rate?: string
  readonly disposition?: Readonly<Record<string, number>>
  readonly side_data_list?: readonly { readonly side_data_type?: string; readonly rotation?: number }[]
}

/** A number that ffprobe reports, if it is one and above zero. */
export function positive(text: string | number | undefined): number | undefined {
  const value = Number(text)
  return text !== undefined && Number.isFinite(value) && value > 0 ? value : undefined
}
