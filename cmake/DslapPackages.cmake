# The Debian packages dslap and dslap-agent, of the components of cmake/DslapInstall.cmake. Made by
# deploy/package.sh, which sets the compiler's flags and the version.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME dslap)
set(CPACK_PACKAGE_VERSION ${DSLAP_VERSION})
set(CPACK_PACKAGE_VENDOR "dslap")
set(CPACK_PACKAGE_CONTACT "The dslap authors <dslap@example.org>")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${CPACK_PACKAGE_CONTACT})
set(CPACK_VERBATIM_VARIABLES TRUE)
set(CPACK_COMPONENTS_ALL controller agent)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL TRUE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# Some files lie outside the prefix: /etc.
set(CPACK_SET_DESTDIR TRUE)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
    GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS TRUE)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)

set(CPACK_DEBIAN_CONTROLLER_PACKAGE_NAME dslap)
set(CPACK_DEBIAN_CONTROLLER_PACKAGE_SECTION database)
set(CPACK_DEBIAN_CONTROLLER_PACKAGE_SUGGESTS "dslap-agent, default-mysql-server")
set(CPACK_DEBIAN_CONTROLLER_DESCRIPTION
"load a database with clients on many hosts, as mysqlslap does
dslap takes mysqlslap's command line, executes SQL statements with many
clients at once against MySQL or MariaDB, and reports how long that took, in
mysqlslap's form with more in it: percentiles of latency, connect times,
errors by code, and a verdict on whether the figures can be trusted.

The clients run inside dslap itself, or are shared by agents on several hosts
(package dslap-agent), which start together and whose measurements are merged
into one report.")

set(CPACK_DEBIAN_AGENT_PACKAGE_NAME dslap-agent)
set(CPACK_DEBIAN_AGENT_PACKAGE_SECTION database)
set(CPACK_DEBIAN_AGENT_PACKAGE_RECOMMENDS openssl)
set(CPACK_DEBIAN_AGENT_PACKAGE_SUGGESTS dslap)
set(CPACK_DEBIAN_AGENT_DESCRIPTION
"run one host's share of the clients of a dslap benchmark
dslap-agent is the service on each load host of a benchmark with dslap: it
waits for a controller, and runs its share of the clients against the MySQL or
MariaDB server that the controller names.

It listens on loopback until its configuration says otherwise. The package
also has dslap-make-certs, which makes the certificates that controllers on
other hosts need.")

set(dslap_debian ${CMAKE_SOURCE_DIR}/deploy/debian)
set(CPACK_DEBIAN_AGENT_PACKAGE_CONTROL_EXTRA ${dslap_debian}/postinst ${dslap_debian}/prerm
    ${dslap_debian}/postrm)
if(EXISTS ${CMAKE_SOURCE_DIR}/deploy/systemd/agent.conf)
  list(APPEND CPACK_DEBIAN_AGENT_PACKAGE_CONTROL_EXTRA ${dslap_debian}/conffiles)
endif()

# Read by the script that finishes the trees before they are packed.
set(CPACK_DSLAP_DEBIAN ${dslap_debian})
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/FinishPackage.cmake)

include(CPack)
