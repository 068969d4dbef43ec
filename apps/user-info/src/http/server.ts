import { openEdgeServer, type EdgeServerOptions } from '@pushfleet/http-edge';
import { type HttpServer } from '@pushfleet/service-kit';
import { type RequestListener } from 'node:http';

const MORE = {
  // Of two Authorization headers none may win unseen: joined, they are malformed.
  joinDuplicateHeaders: true,
  // Nothing is taken from it.
  requireHostHeader: false,
};

export const openServer = (options: Omit<EdgeServerOptions, 'more'>, listener: RequestListener): HttpServer =>
  openEdgeServer({ ...options, more: MORE }, listener);
