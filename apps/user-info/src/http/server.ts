import { openEdgeServer, type EdgeServerOptions } from '@pushfleet/http-edge';
import { type RequestListener, type Server } from 'node:http';

const MORE = {
  // Of two Authorization headers none may win unseen: joined, they are malformed.
  joinDuplicateHeaders: true,
  // Nothing is taken from it, and Node's own refusal has no body.
  requireHostHeader: false,
};

export const openServer = (options: Omit<EdgeServerOptions, 'more'>, listener: RequestListener): Server =>
  openEdgeServer({ ...options, more: MORE }, listener);
