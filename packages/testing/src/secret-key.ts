/** What tests seal secrets with: as long as `SECRET_KEY` must be. */
export const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');
