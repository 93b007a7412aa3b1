import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useMemo,
  useRef,
} from "react";

/** The part of a router that links need. Addresses are the application's, without the server's path. */
export interface Navigation {
  /** The address that the browser shows. */
  hrefOf: (to: string) => string;
  navigate: (to: string) => void;
  /** Loads a page that the reader will probably open. */
  preload?: (to: string) => void;
  /**
   * Calls a function each time a page is shown, after the router put back what was scrolled. Returns a
   * function that ends this.
   */
  onShown?: (listener: () => void) => () => void;
}

const PLAIN: Navigation = {
  hrefOf: (to) => to,
  navigate: (to) => window.location.assign(to),
};

const NavigationContext = createContext(PLAIN);
const MovedContext = createContext<RefObject<boolean>>({ current: false });

/** Connects links to the application's router. */
export function NavigationProvider({
  navigation,
  children,
}: {
  navigation: Navigation;
  children: ReactNode;
}) {
  const moved = useRef(false);
  const watched = useMemo(
    () => ({
      ...navigation,
      navigate: (to: string) => {
        moved.current = true;
        navigation.navigate(to);
      },
    }),
    [navigation],
  );
  return (
    <NavigationContext value={watched}>
      <MovedContext value={moved}>{children}</MovedContext>
    </NavigationContext>
  );
}

/** Whether the reader has followed a link since the document was loaded. */
export function useMoved(): RefObject<boolean> {
  return useContext(MovedContext);
}

export function useNavigation(): Navigation {
  return useContext(NavigationContext);
}

export interface LinkProps extends Omit<ComponentProps<"a">, "href"> {
  to: string;
}

/** A link within the application. Modified clicks open tabs, as everywhere. */
export function Link({ to, onClick, onPointerEnter, ...rest }: LinkProps) {
  const { hrefOf, navigate, preload } = useNavigation();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
    if (event.defaultPrevented || modified || rest.target !== undefined) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a
      {...rest}
      href={hrefOf(to)}
      onClick={follow}
      onPointerEnter={(event) => {
        onPointerEnter?.(event);
        preload?.(to);
      }}
    />
  );
}
