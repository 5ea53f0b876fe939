/** Forms that every recipient must understand (RFC 9110, sections 10.2.3 and 5.6.7). */
export const legalForms = ['seconds', 'http-date', 'rfc850-date', 'asctime-date'] as const

/** Forms that break HTTP, or that a client had better not obey. */
export const hostileForms = [
  'absent',
  'zero',
  'negative',
  'decimal',
  'huge',
  'iso-date',
  'garbage',
  'twice',
] as const

export type HostileForm = (typeof hostileForms)[number]
export type RetryAfterForm = (typeof legalForms)[number] | HostileForm

/** A form for every refusal, or one after the other. */
export type RetryAfterForms = RetryAfterForm | readonly RetryAfterForm[]
