import { basePath } from '../../session/base-path.ts';

/** Where this service is, its base path included. */
export const baseUrl = `${location.origin}${basePath}`;
export const referenceUrl = `${basePath}/docs`;
export const descriptionUrl = `${basePath}/openapi.json`;
