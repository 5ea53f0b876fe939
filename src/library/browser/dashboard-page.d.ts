/** The dashboard as the text of one HTML page. `npm run build` writes it. */
export const page: string
