# Run by cmake --install: the agent's units and its configuration file. Set before: DSLAP_BINDIR and
# DSLAP_SYSCONFDIR, relative to the prefix or absolute, DSLAP_SYSTEMD_SOURCES, and DSLAP_SCRATCH, a
# directory to write in.

# /usr has its configuration in /etc, as GNUInstallDirs has it.
function(dslap_full_path directory out)
  if(IS_ABSOLUTE "${directory}")
    set(${out} "${directory}" PARENT_SCOPE)
  elseif(CMAKE_INSTALL_PREFIX STREQUAL "/usr" AND directory STREQUAL "etc")
    set(${out} "/etc" PARENT_SCOPE)
  else()
    set(${out} "${CMAKE_INSTALL_PREFIX}/${directory}" PARENT_SCOPE)
  endif()
endfunction()

dslap_full_path("${DSLAP_BINDIR}" bindir)
dslap_full_path("${DSLAP_SYSCONFDIR}" sysconfdir)

file(GLOB units "${DSLAP_SYSTEMD_SOURCES}/*.service" "${DSLAP_SYSTEMD_SOURCES}/*.socket")
foreach(unit IN LISTS units)
  get_filename_component(name "${unit}" NAME)
  file(READ "${unit}" text)
  string(REPLACE "/usr/bin/dslap-agent" "${bindir}/dslap-agent" text "${text}")
  string(REPLACE "/etc/dslap/" "${sysconfdir}/dslap/" text "${text}")
  file(WRITE "${DSLAP_SCRATCH}/${name}" "${text}")
  file(INSTALL "${DSLAP_SCRATCH}/${name}" TYPE FILE
       DESTINATION "${CMAKE_INSTALL_PREFIX}/lib/systemd/system")
endforeach()

# Drop-ins to choose from.
file(GLOB examples "${DSLAP_SYSTEMD_SOURCES}/*.conf")
list(REMOVE_ITEM examples "${DSLAP_SYSTEMD_SOURCES}/agent.conf")
if(examples)
  file(INSTALL ${examples} TYPE FILE
       DESTINATION "${CMAKE_INSTALL_PREFIX}/share/doc/dslap-agent/examples")
endif()

# What its owner has changed there is not for us to change.
set(config "${sysconfdir}/dslap/agent.conf")
if(EXISTS "$ENV{DESTDIR}${config}")
  message("-- Kept: $ENV{DESTDIR}${config}")
elseif(EXISTS "${DSLAP_SYSTEMD_SOURCES}/agent.conf")
  file(INSTALL "${DSLAP_SYSTEMD_SOURCES}/agent.conf" TYPE FILE DESTINATION "${sysconfdir}/dslap")
endif()
